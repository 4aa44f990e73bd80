/** GitLab's jobs, pipelines and deployments. */
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { projectName, projectUrl, userName } from './repositories';

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

export const builds = {
  'Job Hook': job,
  'Build Hook': job,
  'Pipeline Hook': pipeline,
  'Deployment Hook': deployment,
} as const;
