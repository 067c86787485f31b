"""One file per device; nothing outside this folder touches a device library."""
