/** The id of a topic, kept once it exists: ids of topics never change. */
import { Cache } from '../../kernel/cache';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import * as topics from '../store/topics';

const BOUNDS = { entries: 20_000, bytes: 8 * 1024 * 1024 };
const kept = perKernel(() => new Cache<string, number>(BOUNDS));

const keyOf = (recipientId: number, name: string) => `${recipientId}/${name}`;

/** If it is there already. */
export const heldTopic = (kernel: Kernel, recipientId: number, name: string): number | undefined =>
  kept(kernel).get(keyOf(recipientId, name));

/** Finds it or makes it: a topic comes to be by being written to. */
export async function ensureTopic(kernel: Kernel, recipientId: number, name: string): Promise<number> {
  const known = heldTopic(kernel, recipientId, name);
  if (known !== undefined) return known;
  const id = await topics.ensure(kernel.mysql, recipientId, name);
  kept(kernel).set(keyOf(recipientId, name), id);
  return id;
}
