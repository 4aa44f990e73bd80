// The extensions that the PBX holds, by instance and number, in a journal so that no acknowledged change is lost.
import fs from 'node:fs';
import path from 'node:path';
import { openJournal, readJournal, rewriteJournal } from './journal';

export type JsonObject = Record<string, unknown>;

export interface Entry {
  extension: JsonObject;
  /** The Idempotency-Key of the request that wrote this state. */
  key: string | null;
}

export interface Place {
  instance: string;
  number: string;
}

export interface Store {
  list(instance: string): JsonObject[];
  get(place: Place): Entry | undefined;
  put(place: Place, entry: Entry): Promise<'created' | 'replaced'>;
  remove(place: Place): Promise<boolean>;
  empty(instance: string): Promise<number>;
  count(): number;
  close(): Promise<void>;
}

type Change =
  | { kind: 'put'; instance: string; number: string; extension: JsonObject; key: string | null }
  | { kind: 'remove'; instance: string; number: string }
  | { kind: 'empty'; instance: string };

type Instances = Map<string, Map<string, Entry>>;

export function openStore(folder: string): Store {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'extensions.jsonl');
  const instances: Instances = new Map();
  for (const change of readJournal<Change>(file)) apply(instances, change);
  rewriteJournal(file, snapshot(instances));
  const journal = openJournal<Change>(file);
  const commit = async (change: Change): Promise<number> => journal.append(change, () => apply(instances, change));

  return {
    list: (instance) =>
      [...(instances.get(instance)?.values() ?? [])].map((entry) => entry.extension).toSorted(byNumber),
    get: ({ instance, number }) => instances.get(instance)?.get(number),
    put: async (place, entry) => ((await commit({ kind: 'put', ...place, ...entry })) === 0 ? 'created' : 'replaced'),
    remove: async (place) => (await commit({ kind: 'remove', ...place })) === 1,
    empty: async (instance) => commit({ kind: 'empty', instance }),
    count: () => [...instances.values()].reduce((sum, held) => sum + held.size, 0),
    close: async () => journal.close(),
  };
}

/** Applies the change and returns how many extensions existed before. */
function apply(instances: Instances, change: Change): number {
  const held = instances.get(change.instance) ?? new Map<string, Entry>();
  switch (change.kind) {
    case 'put': {
      const before = held.has(change.number) ? 1 : 0;
      held.set(change.number, { extension: change.extension, key: change.key });
      instances.set(change.instance, held);
      return before;
    }
    case 'remove':
      return held.delete(change.number) ? 1 : 0;
    case 'empty':
      instances.delete(change.instance);
      return held.size;
  }
}

function snapshot(instances: Instances): Change[] {
  return [...instances].flatMap(([instance, held]) =>
    [...held].map(([number, entry]): Change => ({ kind: 'put', instance, number, ...entry })),
  );
}

function byNumber(one: JsonObject, other: JsonObject): number {
  const [a, b] = [String(one['number']), String(other['number'])];
  return a.length - b.length || (a < b ? -1 : 1);
}
