/** Checks, renders, stores and publishes answers to an organisation's custom profile fields. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import { badRequest } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { checkValue } from '../../model/users/profile-field';
import type { User } from '../../model/users/user';
import { userChanged } from '../../model/users/user-events';
import { fieldNotFound, invalidUserId } from '../../model/users/user-faults';
import type { ProfileValue } from '../../model/users/user-wire';
import type { Chat } from '../../parts';
import { renderContent } from '../../queries/messages/render-content';
import * as people from '../../store/users/people';
import * as fields from '../../store/users/profile-fields';

type Parts = Storage & Pick<Chat, 'realms' | 'renderer' | 'vocabularies'>;

/** As received: an empty value removes the answer. */
export interface WrittenAnswer {
  readonly id: number;
  readonly value: unknown;
}

/** Null removes the answer. */
export interface CheckedAnswer {
  readonly fieldId: number;
  readonly answer: fields.Answer | null;
}

/** Runs before the transaction, because rendering is slow and needs no lock. */
export async function checkAnswers(
  chat: Pick<Chat, 'mysql' | 'realms' | 'renderer' | 'vocabularies'>,
  realmId: RealmId,
  written: readonly WrittenAnswer[],
): Promise<CheckedAnswer[]> {
  const checked: CheckedAnswer[] = [];
  for (const { id, value } of written) {
    const field = await fields.byId(chat.mysql, realmId, id);
    ensure(field !== undefined, fieldNotFound(id));
    if (isEmpty(value)) {
      checked.push({ fieldId: id, answer: null });
      continue;
    }
    const { value: stored, isMarkdown, userIds } = checkValue(field, value);
    await ensurePeople(chat.mysql, realmId, userIds);
    const rendered = isMarkdown ? (await renderContent(chat, realmId, stored)).html : null;
    checked.push({ fieldId: id, answer: { fieldId: id, value: stored, rendered } });
  }
  return checked;
}

const isEmpty = (value: unknown) => value === '' || value === null || (Array.isArray(value) && value.length === 0);

async function ensurePeople(db: Database, realmId: RealmId, ids: readonly number[]): Promise<void> {
  const found = await people.byIds(db, realmId, ids);
  for (const id of ids) {
    const user = found.find((each) => each.id === id);
    if (!user) throw invalidUserId(id);
    if (!user.isActive) throw badRequest(`User with ID ${id} is deactivated`);
    if (user.botType !== null) throw badRequest(`User with ID ${id} is a bot`);
  }
}

export async function answerFieldsIn(tx: Tx, user: User, answers: readonly CheckedAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const before = await fields.answersOf(tx.db, user.id);
  for (const { fieldId, answer } of answers) {
    const now = answer ? wireOf(answer) : null;
    const old = before[String(fieldId)] ?? null;
    if (old?.value === now?.value && old?.rendered_value === now?.rendered_value) continue;
    if (answer) await fields.setAnswer(tx.db, user.id, answer);
    else await fields.removeAnswer(tx.db, user.id, fieldId);
    tx.deliver(userChanged(user, { custom_profile_field: { id: fieldId, value: null, ...now } }));
  }
}

const wireOf = ({ value, rendered }: fields.Answer): ProfileValue =>
  rendered === null ? { value } : { value, rendered_value: rendered };

/** Updates the user's own answers. */
export async function updateProfile(chat: Parts, by: User, written: readonly WrittenAnswer[]): Promise<void> {
  const answers = await checkAnswers(chat, by.realmId, written);
  await chat.transaction((tx) => answerFieldsIn(tx, by, answers));
}
