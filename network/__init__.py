"""Everything with a network: the page for phones, the bridge to a broker, the hub for many tables."""
