"""Pages of the menu: corrections, help, phones, erasing, switching off."""
