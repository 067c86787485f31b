"""`python -m firmware.cli` is `nimmt`."""

import sys

from firmware.cli.main import main

sys.exit(main())
