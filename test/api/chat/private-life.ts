/** Public conversations, and private actions of two users that no other user should notice. */
import type { Caller } from '../../support/chat/people';
import type { Answer } from '../../support/http/client';

export interface Insiders {
  readonly ann: Caller;
  readonly ben: Caller;
}

const json = JSON.stringify;

async function done(answer: Promise<Answer>) {
  const { body, text } = await answer;
  if (body.result !== 'success') throw new Error(text);
  return body;
}

/** Actions that the observer sees too. Returns the content of the last message. */
export async function liveInPublic({ ann, ben }: Insiders, observer: Caller, step: number): Promise<string> {
  const principals = json([ann.email, ben.email, observer.email]);
  await done(ann.post('/users/me/subscriptions', { subscriptions: '[{"name":"plaza"}]', principals }));
  const say = (by: Caller, topic: string, content: string) =>
    done(by.post('/messages', { type: 'stream', to: 'plaza', topic, content }));
  const words = `the weather is fine, ${step}`;
  const { id } = await say(ann, 'weather', 'a [link](https://example.com)');
  await done(observer.post(`/messages/${id}/reactions`, { emoji_name: 'smile' }));
  await done(ann.patch(`/messages/${id}`, { content: 'it rains' }));
  const { id: gone } = await say(ben, 'weather', 'oops');
  await done(ann.del(`/messages/${gone}`));
  await done(ben.post('/messages', { type: 'private', to: json([observer.email]), content: `for you, ${step}` }));
  await say(observer, 'weather', `indeed, ${step}`);
  await say(ben, 'weather', words);
  return words;
}

/** Private actions. Returns the new objects, which other users might request. */
export async function liveInPrivate(
  { ann, ben }: Insiders,
  step: number,
): Promise<{ message: number; stream: number; file: string }> {
  const both = json([ann.email, ben.email]);
  const vault = { subscriptions: '[{"name":"vault","description":"secret of vaults"}]', invite_only: 'true' };
  await done(ann.post('/users/me/subscriptions', { ...vault, principals: both, announce: 'true' }));
  const { stream_id: stream } = await done(ben.get('/get_stream_id', { stream: 'vault' }));
  const form = new FormData();
  form.append('file', new Blob([`secret of files ${step}`]), 'plans.txt');
  const { uri } = await done(ben.ask('/user_uploads', { method: 'POST', raw: form }));
  const say = (topic: string, content: string) =>
    done(ben.post('/messages', { type: 'stream', to: 'vault', topic, content }));
  const { id } = await say('plans', `secret of streams [file](${uri}) @**all** @**The ann**`);
  const { id: gone } = await say('plans', 'secret of minutes');
  await done(ann.post(`/messages/${id}/reactions`, { emoji_name: 'smile' }));
  await done(ben.patch(`/messages/${id}`, { topic: 'better plans', propagate_mode: 'change_all' }));
  await done(ben.patch(`/messages/${id}`, { content: `secret of edits [file](${uri})` }));
  await done(ann.post('/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'starred' }));
  await done(ann.post('/typing', { op: 'start', to: json([ben.email]) }));
  await done(ben.post('/messages', { type: 'private', to: json([ann.email]), content: 'secret of two' }));
  await done(ann.post('/messages', { type: 'private', to: json([ben.email]), content: 'secret of two, too' }));
  await done(ann.post('/mark_stream_as_read', { stream_id: String(stream) }));
  await done(
    ann.patch('/users/me/subscriptions/muted_topics', { stream: 'vault', topic: 'plans', op: 'add' }).then(kept),
  );
  await done(ann.patch(`/streams/${stream}`, { description: json(`secret of words ${step}`) }));
  await done(ann.del(`/messages/${gone}`));
  await done(ann.post('/mark_all_as_read'));
  return { message: id, stream, file: uri };
}

/** It may already be so. */
const kept = (answer: Answer): Answer =>
  answer.body.msg === 'Topic already muted' ? { ...answer, body: { result: 'success' } } : answer;
