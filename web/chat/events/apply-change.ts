/** What one kind of event changes. */
import type { ChatState } from '../data/store';
import type { ServerEvent } from '../data/wire';

export type Change = (state: ChatState, event: ServerEvent) => Partial<ChatState>;

export const put = <Value>(map: ReadonlyMap<number, Value>, entries: readonly (readonly [number, Value])[]) =>
  new Map([...map, ...entries]);

export function without<Value>(map: ReadonlyMap<number, Value>, ids: readonly number[]): Map<number, Value> {
  const next = new Map(map);
  for (const id of ids) next.delete(id);
  return next;
}
