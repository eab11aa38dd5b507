"""A round's questions: the public ones, the viewer's own, and the form to ask another (rule 25.1)."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contest import visibility
from contest.infra import clock
from contest.infra.attempts import Attempts
from contest.models import Player
from contest.outreach import questions
from contest.rules.phases import Phase
from contest.web.account.forms import OwnPlayerForm
from contest.web.shell.forms import may_store, status_of
from contest.web.shell.request import Request

PER_PAGE = 20


class QuestionForm(OwnPlayerForm):
    """A question as one of the viewer's players; `questions.ask_question` decides whether it is accepted."""

    player = forms.ModelChoiceField(Player.objects.none(), label=_("Ask as"), empty_label=None)
    text = forms.CharField(
        label=_("Your question"), max_length=questions.LONGEST, widget=forms.Textarea(attrs={"rows": 4})
    )


def _may_ask(request: Request, form: QuestionForm) -> bool:
    """Count the question against the sender's network; if that has asked too much, add an error and return False."""
    if not Attempts(request).is_within("question"):
        form.add_error(None, gettext("Too many questions came from your network today. Please continue tomorrow."))
        return False
    return may_store(request, form, form.cleaned_data["text"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def questions_page(request: Request, number: int) -> HttpResponse:
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    form = QuestionForm(request.viewer, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and _may_ask(request, form):
        player, text = form.cleaned_data["player"], form.cleaned_data["text"]
        try:
            questions.ask_question(round_, player, text, viewer=request.viewer, at=at)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("questions", number)
    public, asked = visibility.public_questions(round_, at), visibility.own_questions(request.viewer, round_)
    own = Paginator(asked, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "round": round_,
        "is_open": round_.phase(at) is Phase.OPEN,
        "form": form,
        "public": public,
        "own": own,
        "is_empty": not (public or own),
    }
    return render(request, "contest/round/questions.html", context, status=status_of(form))
