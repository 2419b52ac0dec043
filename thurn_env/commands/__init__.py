"""The commands of `thurn`: one module each, with a function of the same name whose parameters are the options."""
