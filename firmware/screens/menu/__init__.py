"""Pages of the menu: corrections, help, erasing, switching off."""
