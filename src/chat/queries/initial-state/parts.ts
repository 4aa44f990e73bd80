/** The parts of the initial state by the event type under which clients ask for them. */
import * as messages from '../../store/messages';
import { PROTOCOL_VERSION } from '../../model/wire';
import type { StatePart } from './initial-state';

const message: StatePart = async ({ db, by }) => ({ max_message_id: await messages.last(db, by.realmId) });
const version: StatePart = () => Promise.resolve({ zulip_version: PROTOCOL_VERSION });

export const PARTS: Readonly<Record<string, StatePart>> = { message, zulip_version: version };
