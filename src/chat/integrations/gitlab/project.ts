/** The project of a GitLab event, and who caused it. */
import type { Payload } from '../payload';

/** GitLab has moved these fields over the years. */
export function projectName(body: Payload): string {
  if (body.has('project')) return body.object('project').text('name');
  if (body.has('repository')) return body.object('repository').text('name');
  return body.text('project_name');
}

export function projectUrl(body: Payload): string {
  if (body.has('project')) {
    const project = body.object('project');
    return project.textOr('web_url', project.textOr('homepage', ''));
  }
  return body.object('repository').text('homepage');
}

export const userName = (body: Payload): string =>
  body.has('user') ? body.object('user').text('name') : body.text('user_name');
