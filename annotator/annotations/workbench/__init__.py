"""The annotation screen: its payload, its forms and its views."""
