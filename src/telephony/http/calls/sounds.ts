/** Routes of what can be heard: recordings of calls, and the messages of mailboxes. Players may ask for parts. */
import { Readable } from 'node:stream';
import { FILE } from '../../../kernel/http/answers';
import { byteRange } from '../../../kernel/files/byte-range';
import { fileHeaders } from '../../../kernel/files/stored-file';
import { Download } from '../../../kernel/http/outgoing';
import { routesFor } from '../../../kernel/http/route';
import { deleteMessage, deleteRecording, hearMessage, hearRecording, listMessages } from '../../commands/calls/hear';
import { voicemailMessages } from '../../model/answers/calls';
import { noCall, noMailboxes, noMessage, noRecording } from '../../model/calls/call-faults';
import type { Caller } from '../../model/contacts/contact';
import { noExtension, noInstance, notOwner, notYours } from '../../model/faults';
import { doneAnswer } from '../../model/answers/portal';
import { pbxFailed } from '../refusals';

type Parts = Parameters<typeof hearRecording>[0];
type OpenSound = Awaited<ReturnType<typeof hearRecording>>;

const { get, del } = routesFor<Caller>();

const SOUND = { 200: FILE, 206: FILE };
const DONE = { done: true } as const;

function downloadOf(sound: OpenSound, name: string, range: string): Download {
  const part = byteRange(range, sound.size);
  const size = part ? part.to - part.from + 1 : sound.size;
  const { type, headers } = fileHeaders({ name, type: 'audio/wav', size });
  const body = Readable.from(sound.chunks(part));
  const ranged = { ...headers, 'Accept-Ranges': 'bytes' };
  if (!part) return new Download(body, type, ranged);
  return new Download(body, type, { ...ranged, 'Content-Range': `bytes ${part.from}-${part.to}/${sound.size}` }, 206);
}

export const soundRoutes = (parts: Parts) => [
  get('/instances/:instance_uuid/calls/:call_id/recording', {
    summary: 'Hear the recording of a call: the owner, and who took part',
    answer: SOUND,
    refuses: [noRecording(), noCall(), noInstance(), pbxFailed()],
    waitsElsewhere: true,
    run: async ({ by, params, incoming }) => {
      const place = { uuid: params.instance_uuid, id: params.call_id };
      const sound = await hearRecording(parts, by, place);
      return downloadOf(sound, `${params.call_id}.wav`, incoming.header('range'));
    },
  }),
  del('/instances/:instance_uuid/calls/:call_id/recording', {
    summary: 'Delete the recording of a call; owner only',
    answer: doneAnswer,
    refuses: [notOwner(), noRecording(), noCall(), noInstance(), pbxFailed()],
    waitsElsewhere: true,
    run: async ({ by, params }) => {
      await deleteRecording(parts, by, { uuid: params.instance_uuid, id: params.call_id });
      return DONE;
    },
  }),
  get('/instances/:instance_uuid/extensions/:extension_id/messages', {
    summary: 'List the messages in the mailbox of an extension: the owner, and the user of the extension',
    answer: voicemailMessages,
    refuses: [noMailboxes(), notYours('mailbox'), noExtension(), noInstance(), pbxFailed()],
    waitsElsewhere: true,
    run: ({ by, params }) => listMessages(parts, by, { uuid: params.instance_uuid, extensionId: params.extension_id }),
  }),
  get('/instances/:instance_uuid/extensions/:extension_id/messages/:voicemail_id/content', {
    summary: 'Hear a message',
    answer: SOUND,
    refuses: [noMailboxes(), notYours('mailbox'), noMessage(), noInstance(), pbxFailed()],
    waitsElsewhere: true,
    run: async ({ by, params, incoming }) => {
      const { instance_uuid: uuid, extension_id: extensionId, voicemail_id: messageId } = params;
      const sound = await hearMessage(parts, by, { uuid, extensionId, messageId });
      return downloadOf(sound, `${messageId}.wav`, incoming.header('range'));
    },
  }),
  del('/instances/:instance_uuid/extensions/:extension_id/messages/:voicemail_id', {
    summary: 'Delete a message',
    answer: doneAnswer,
    refuses: [noMailboxes(), notYours('mailbox'), noMessage(), noInstance(), pbxFailed()],
    waitsElsewhere: true,
    run: async ({ by, params }) => {
      const { instance_uuid: uuid, extension_id: extensionId, voicemail_id: messageId } = params;
      await deleteMessage(parts, by, { uuid, extensionId, messageId });
      return DONE;
    },
  }),
];
