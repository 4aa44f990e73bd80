/** What another app of the device has shared becomes a draft, whose stream and topic are asked for. */
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { attachFiles } from '../compose/uploads';
import { changeDraft, openToStream, useCompose } from '../compose/state';
import { SHARED } from './forget';

async function takeShared(): Promise<{ text: string; files: File[] } | undefined> {
  if (!('caches' in globalThis) || !(await caches.has(SHARED))) return undefined;
  const cache = await caches.open(SHARED);
  const answers = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  await caches.delete(SHARED);
  const files: File[] = [];
  let text = '';
  for (const answer of answers) {
    const name = answer?.headers.get('X-Name');
    if (name) files.push(new File([await answer!.blob()], decodeURIComponent(name)));
    else text = (await answer?.text()) ?? '';
  }
  return { text, files };
}

async function openShared(): Promise<void> {
  const shared = await takeShared();
  if (!shared) return;
  openToStream(0);
  const before = useCompose.getState().draft?.content ?? '';
  const content = [before, shared.text].filter((each) => each !== '').join('\n');
  if (content !== before) changeDraft({ content });
  attachFiles(shared.files);
}

export function Shared() {
  const [, go] = useLocation();
  useEffect(() => {
    go('/', { replace: true });
    // The Inbox, which has a box to write in, is there then.
    setTimeout(() => void openShared());
  }, [go]);
  return null;
}
