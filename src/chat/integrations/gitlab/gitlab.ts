/** GitLab: pushes, merge requests, issues, comments, wiki pages, jobs, pipelines, releases and deployments. */
import type { EventFormats } from '../git-text';
import type { Integration, Notice } from '../integration';
import { entryOf, lookUp, Payload } from '../payload';
import { discussions } from './discussions';
import { projectName, projectUrl, repositories, userName } from './repositories';

const done = (status: string, first: string): string =>
  status === first ? 'was created' : status === 'running' ? 'started' : `changed status to ${status}`;

function job(body: Payload): Notice {
  const action = done(body.text('build_status'), 'created');
  return {
    topic: `${jobProject(body)} / ${body.text('ref')}`,
    content: `Build ${body.text('build_name')} from ${body.text('build_stage')} stage ${action}.`,
  };
}

/** `project_name` includes the group, with spaces: "Group / Project". */
const jobProject = (body: Payload): string =>
  body.has('repository') || body.has('project') ? projectName(body) : body.text('project_name');

function pipeline(body: Payload): Notice {
  const run = body.object('object_attributes');
  const url = projectUrl(body);
  const builds = body.listOr('builds').map((build) => {
    const page = `${url}/-/jobs/${build.text('id')}`;
    const file = build.objectOr('artifacts_file').textOr('filename', '');
    const artifact = `\n  * built artifact: *${file}* [[Browse](${page}/artifacts/browse)|[Download](${page}/artifacts/download)]`;
    return `* [${build.text('name')}](${page}) - ${build.text('status')}${file === '' ? '' : artifact}`;
  });
  const link = `[Pipeline (${run.text('id')})](${url}/-/pipelines/${run.text('id')})`;
  const listed = builds.length === 0 ? '' : ` with build(s):\n${builds.join('\n')}`;
  return {
    topic: `${projectName(body)} / ${run.text('ref')}`,
    content: `${link} ${done(run.text('status'), 'pending')}${listed}.`,
  };
}

function deployment(body: Payload): Notice {
  const link = `[${body.text('short_sha')}](${body.text('commit_url')})`;
  const to = body.text('environment');
  return {
    topic: projectName(body),
    content: `Deployment of ${link} to ${to} by ${userName(body)} ${done(body.text('status'), 'created')}.`,
  };
}

const formats: EventFormats = {
  ...repositories,
  ...discussions,
  'Job Hook': job,
  'Build Hook': job,
  'Pipeline Hook': pipeline,
  'Deployment Hook': deployment,
};

/** A system hook names its event in the payload. */
const SYSTEM_EVENTS: Readonly<Record<string, string>> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  merge_request: 'Merge Request Hook',
};

export const gitlab: Integration = {
  name: 'gitlab',
  client: 'ZulipGitlabWebhook',
  eventHeader: 'X-Gitlab-Event',
  deliveryHeader: 'Idempotency-Key',
  causeHeader: 'X-Gitlab-Event-UUID',
  format({ payload, event, ...given }) {
    const body = new Payload(payload);
    const kind = event === 'System Hook' ? systemEvent(body) : event;
    // Confidential events have the same format; they are enabled separately in GitLab.
    return entryOf(formats, kind.replace(/^Confidential /, ''), 'Gitlab', kind)(body, given);
  },
};

function systemEvent(body: Payload): string {
  const name = body.textOr('event_name', body.textOr('object_kind', ''));
  return lookUp(SYSTEM_EVENTS, name) ?? `System Hook ${name}`;
}
