/** Operands that are the same for everyone and need no lookup. */
import { TRAITS } from '../messages/message';
import { badNarrow, type Operand, type Operator, type Term } from './narrow';
import { TRAIT_WORDS, type Condition } from './narrow-condition';

export function checkStreams(operand: Operand): void {
  if (operand !== 'public') throw badNarrow(`unknown streams operand ${String(operand)}`);
}

const IS: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ['private', { kind: 'private' }],
  ['dm', { kind: 'private' }],
  ['resolved', { kind: 'fact', fact: 'resolved' }],
  ['unread', { kind: 'unread' }],
  ['starred', { kind: 'flags', flags: ['starred'] }],
  ['mentioned', { kind: 'flags', flags: ['mentioned', 'wildcard_mentioned'] }],
  ['alerted', { kind: 'flags', flags: ['has_alert_word'] }],
]);

const MAKERS: Readonly<Partial<Record<Operator, (operand: string) => Condition>>> = {
  is(operand) {
    const condition = IS.get(operand);
    if (!condition) throw badNarrow(`unknown 'is' operand ${operand}`);
    return condition;
  },
  has(operand) {
    if (operand === 'reaction') return { kind: 'fact', fact: 'reaction' };
    if (operand !== 'link' && operand !== 'image' && operand !== 'attachment') {
      throw badNarrow(`unknown 'has' operand ${operand}`);
    }
    return { kind: 'trait', trait: TRAITS[operand], word: TRAIT_WORDS[operand] };
  },
  id(operand) {
    if (!/^\d+$/.test(operand) || !Number.isSafeInteger(Number(operand))) throw badNarrow('Invalid message ID');
    return { kind: 'id', id: Number(operand) };
  },
};

/** Undefined for a term that matches every message. */
export const plainCondition = ({ operator, operand }: Term): Condition | undefined =>
  MAKERS[operator]?.(String(operand));
