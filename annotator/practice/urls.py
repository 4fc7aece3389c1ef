from django.urls import path

from annotator.practice import views

urlpatterns = [
    path("practice/", views.practice, name="practice"),
    path("practice/next/", views.next_page, name="practice-next"),
    path("practice/slots/<uuid:key>/", views.show_feedback, name="practice-feedback"),
    path("practice/slots/<uuid:key>/submit/", views.submit, name="practice-submit"),
    path("practice/setting/", views.setting, name="practice-setting"),
    path("practice/people/<id:member>/waive/", views.waive, name="practice-waive"),
]
