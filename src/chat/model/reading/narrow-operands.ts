/** Operands that are the same for everyone and need no lookup. */
import { TRAITS } from '../messages/message';
import { badNarrow, type Operand, type Operator, type Term } from './narrow';
import { TRAIT_WORDS, type Condition } from './narrow-condition';

export function checkStreams(operand: Operand): void {
  if (operand !== 'public') throw badNarrow(`unknown streams operand ${String(operand)}`);
}

function isCondition(operand: string): Condition {
  switch (operand) {
    case 'private':
    case 'unread':
      return { kind: operand };
    case 'starred':
      return { kind: 'flags', flags: ['starred'] };
    case 'mentioned':
      return { kind: 'flags', flags: ['mentioned', 'wildcard_mentioned'] };
    case 'alerted':
      return { kind: 'flags', flags: ['has_alert_word'] };
    default:
      throw badNarrow(`unknown 'is' operand ${operand}`);
  }
}

function hasCondition(operand: string): Condition {
  if (operand !== 'link' && operand !== 'image' && operand !== 'attachment') {
    throw badNarrow(`unknown 'has' operand ${operand}`);
  }
  return { kind: 'trait', trait: TRAITS[operand], word: TRAIT_WORDS[operand] };
}

function idCondition(operand: string): Condition {
  if (!/^\d+$/.test(operand) || !Number.isSafeInteger(Number(operand))) throw badNarrow('Invalid message ID');
  return { kind: 'id', id: Number(operand) };
}

const MAKERS: Readonly<Partial<Record<Operator, (operand: string) => Condition>>> = {
  is: isCondition,
  has: hasCondition,
  id: idCondition,
};

/** Undefined for a term that matches every message. */
export const plainCondition = ({ operator, operand }: Term): Condition | undefined =>
  MAKERS[operator]?.(String(operand));
