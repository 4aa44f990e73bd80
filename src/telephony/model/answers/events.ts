/** Schemas of user statuses and of a company's events. */
import { z } from 'zod';
import { deletedArrangement, forwards, outsideNumber, ringGroup } from './arrangements';
import { callAnswered, callEnded, callStarted, registration } from './calls';
import { time } from './company';
import { conversation, deletedText, readTexts, textMessage } from './texting';

const shown = z.object({ status: z.string(), action_type: z.enum(['manual', 'automatic']) });

const statusShape = {
  id: z.string(),
  company_id: z.string(),
  user_id: z.string(),
  user_email: z.string(),
  status: shown,
  created_at: time,
  updated_at: time,
  deleted_at: time.nullable(),
};
/** As published to the company's clients. */
export const statusEvent = z.object(statusShape).meta({ id: 'ShownUserStatus' });
export const status = z
  .object({ ...statusShape, main_status: shown, additional_status: shown })
  .meta({ id: 'UserStatus' });
export const statuses = z.array(status);

/** The payload of each event, by event name. */
export const companyEvents = {
  'texting.message.new': textMessage,
  'texting.message.delete': deletedText,
  'texting.message.markAsRead': readTexts,
  'texting.chat.new': conversation,
  'texting.chat.delete': z.object({ id: z.string() }),
  user_status_updated: statusEvent,
  'ring_group.updated': ringGroup,
  'ring_group.deleted': deletedArrangement,
  'number.updated': outsideNumber,
  'number.deleted': deletedArrangement,
  'extension.forwards.updated': forwards,
  'call.started': callStarted,
  'call.answered': callAnswered,
  'call.ended': callEnded,
  'extension.registered': registration,
  'extension.unregistered': registration,
} as const;

const eventShape = { seq: z.int(), created_at: time };
const named = Object.entries(companyEvents).map(([name, payload]) =>
  z.object({ ...eventShape, name: z.literal(name), payload }),
);

const companyEvent = z
  .union(named)
  .meta({ id: 'CompanyEvent', description: 'By name, in the form in which the socket emits it' });
export const companyEventList = z.array(companyEvent);
