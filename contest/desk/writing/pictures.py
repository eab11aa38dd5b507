"""Pictures on the desk: uploaded with alternative text, and inserted into posts by their number."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from contest.desk.access import StaffRequest, staff
from contest.desk.writing.forms import NewPictureForm, PictureForm
from contest.infra import clock
from contest.models import Picture
from contest.organising.acts import add_errors
from contest.outreach import pictures

PER_PAGE = 24


@staff("change_post")
@require_http_methods(["GET", "POST"])
def all_pictures(request: StaffRequest) -> HttpResponse:
    """List all pictures, newest first, with an upload form."""
    form = NewPictureForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid():
        alt_texts = {name: form.cleaned_data[name] for name in ("alt_zh", "alt_en")}
        picture = pictures.store_picture(form.cleaned_data["file"], at=clock.now(), by=request.user, **alt_texts)
        messages.success(request, _("Write %(code)s in a text to show the picture there.") % {"code": picture})
        return redirect("desk-pictures")
    listed = Picture.objects.defer("content").prefetch_related("posts")
    page = Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))
    status = 422 if form.errors else 200
    return render(request, "contest/desk/writing/pictures.html", {"form": form, "chosen": page}, status=status)


@staff("change_post")
@require_http_methods(["GET", "POST"])
def picture(request: StaffRequest, pk: int) -> HttpResponse:
    """Edit the alternative text, or delete the picture if no post shows it."""
    found = get_object_or_404(Picture.objects.defer("content"), pk=pk)
    form = PictureForm(request.POST or None, instance=found)
    try:
        if request.POST.get("do") == "remove":
            pictures.remove(get_object_or_404(Picture.objects.defer("content"), pk=pk), by=request.user)
            messages.success(request, _("The picture is removed."))
            return redirect("desk-pictures")
        if form.is_bound and form.is_valid():
            stored = Picture.objects.defer("content").get(pk=pk)
            pictures.describe(stored, by=request.user, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("desk-pictures")
    except ValidationError as error:
        add_errors(form, error)
    context = {"form": form, "picture": found, "posts": found.posts.defer("html_zh", "html_en")}
    return render(request, "contest/desk/writing/picture.html", context, status=422 if form.errors else 200)


@staff("change_post", "view_post")
@require_safe
def picture_file(_request: StaffRequest, pk: int) -> HttpResponse:
    """Serve the picture, also one of a draft; `staff` forbids caching."""
    found = get_object_or_404(Picture, pk=pk)
    return HttpResponse(bytes(found.content), content_type="image/webp")
