"""All models, for Django; each lives in the folder of its capability."""

import annotator.agreement.models
import annotator.annotations.models
import annotator.annotations.qualification.models
import annotator.annotations.study.models
import annotator.api.webhooks.models
import annotator.common.searches
import annotator.corpora.audit.models
import annotator.corpora.models
import annotator.corpora.sessions.models
import annotator.corpora.tokens.models
import annotator.gold.models
import annotator.gold.reannotation.models
import annotator.pages.assets.models
import annotator.pages.feeds.models
import annotator.pages.imports.models
import annotator.pages.models
import annotator.practice.models
import annotator.quality.bias.models
import annotator.quality.checks.models
import annotator.releases.exports.models
import annotator.releases.models
import annotator.reparsing.models
import annotator.runs.models
import annotator.scoring.models
import annotator.training.models
