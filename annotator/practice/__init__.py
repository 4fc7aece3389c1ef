"""Practice on settled pages of another corpus, with gold shown after each; a pass mark before real pages."""
