/** Schemas of calls: those that have ended, those under way, and messages of mailboxes. */
import { z } from 'zod';
import { DIRECTIONS, OUTCOMES } from '../calls/call-record';
import { time, uuid } from './company';

export const call = z
  .object({
    _id: z.string(),
    call_id: z.string().meta({ description: 'What the PBX calls it; the same in events and among live calls' }),
    linked_id: z.string().meta({ description: 'The call that it came from by a transfer; otherwise its own' }),
    pbx: uuid,
    direction: z.enum(DIRECTIONS),
    from: z.string(),
    from_name: z.string(),
    dialled: z.string(),
    to: z.string().meta({ description: 'The extension or group that was called last' }),
    answered_by: z.string(),
    outcome: z.enum(OUTCOMES),
    started_at: time,
    ended_at: time,
    talk_seconds: z.int(),
    cause: z.int().nullable().meta({ description: 'Why it ended, as in Q.850' }),
    has_recording: z.boolean(),
  })
  .meta({ id: 'Call' });
export const calls = z.array(call);

export const callRetention = z
  .object({
    keep_days: z.int().nullable().meta({ description: 'How long calls are kept; null: for ever' }),
    keep_recordings_days: z.int().nullable(),
  })
  .meta({ id: 'CallRetention' });

const liveCall = z
  .object({
    call_id: z.string(),
    pbx: uuid,
    direction: z.enum(['internal', 'inbound', 'outbound']),
    state: z.enum(['ringing', 'answered']),
    from: z.string(),
    from_name: z.string(),
    dialled: z.string(),
    answered_by: z.string(),
    extensions: z.array(z.int()).meta({ description: 'The extensions that take part, also those that only ring' }),
    started_at: time,
    answered_at: time.nullable(),
  })
  .meta({ id: 'LiveCall' });
export const liveCalls = z
  .object({
    calls: z.array(liveCall),
    unknown: z.array(uuid).meta({ description: 'PBXs whose calls are not known at the moment' }),
  })
  .meta({ id: 'LiveCalls' });

const party = { pbx: uuid, call_id: z.string(), direction: z.enum(['internal', 'inbound', 'outbound']) };
/** Without numbers outside: every user of the company gets events. */
export const callStarted = z
  .object({ ...party, extensions: z.array(z.int()), started_at: time })
  .meta({ id: 'CallStarted' });
export const callAnswered = z
  .object({ ...party, extensions: z.array(z.int()), answered_by: z.int().nullable(), answered_at: time })
  .meta({ id: 'CallAnswered' });
export const callEnded = z
  .object({ ...party, extensions: z.array(z.int()), was_answered: z.boolean(), ended_at: time })
  .meta({ id: 'CallEnded' });
export const registration = z
  .object({ pbx: uuid, extension_id: z.string(), number: z.int(), user_id: z.string().nullable() })
  .meta({ id: 'Registration' });

export const voicemailMessages = z.array(
  z
    .object({
      id: z.string(),
      folder: z.string(),
      is_new: z.boolean(),
      from: z.string(),
      from_name: z.string(),
      at: time.nullable(),
      seconds: z.int(),
    })
    .meta({ id: 'VoicemailMessage' }),
);
