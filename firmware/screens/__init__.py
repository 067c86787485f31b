"""What people see and press: one file per page."""
