"""The bus: how features hear from each other what happened."""
