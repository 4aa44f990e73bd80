/** Files that go into an archive, and come out of it. */
import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import type { TestNode } from '../../../support/kernel/cluster';
import { formOf, PNG } from '../../../support/pictures';

/** A file of the member. */
export async function upload(node: TestNode, name: string, text: string): Promise<string> {
  const raw = new FormData();
  raw.append('file', new Blob([text]), name);
  const headers = await node.basic('member@example.com');
  return (await node.call('/api/v1/user_uploads', { method: 'POST', headers, raw })).body.uri;
}

/** An icon, an avatar of the owner, and an emoji. */
export async function uploadPictures(node: TestNode): Promise<void> {
  const headers = await node.basic('owner@example.com');
  for (const path of ['realm/icon', 'users/me/avatar', 'realm/emoji/anvil']) {
    await node.call(`/api/v1/${path}`, { method: 'POST', headers, raw: formOf(PNG) });
  }
}

export async function download(node: TestNode, id: number): Promise<{ bytes: Buffer; headers: Headers }> {
  const headers = await node.basic('owner@example.com');
  const response = await fetch(`${node.url}/api/v1/export/realm/${id}/archive`, { headers });
  if (response.status !== 200) throw new Error(await response.text());
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

/** By name, as tar lists them. */
export function filesIn(bytes: Buffer): Map<string, string> {
  const options = { input: gunzipSync(bytes), encoding: 'utf8', maxBuffer: Infinity } as const;
  const names = execFileSync('tar', ['-tf', '-'], options).trim().split('\n');
  return new Map(names.map((name) => [name, execFileSync('tar', ['-xOf', '-', name], options)]));
}
