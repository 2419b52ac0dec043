"""The commands of `thurn`: one module each, with a function of the same name whose arguments are the options."""
