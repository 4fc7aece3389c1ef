"""Single sign-on and second factors, which django-allauth brings; both are off unless configured."""
