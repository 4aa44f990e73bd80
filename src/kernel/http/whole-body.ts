/** Reads bodies for dialects that refuse broken text: JSON and CSV that are not UTF-8 are an error, not mended. */
import { isUtf8 } from 'node:buffer';
import bodyParser from 'koa-bodyparser';
import { Fault } from '../fault';
import { isTooDeep } from '../json-depth';
import { hasBody, readArrived, readPlainJson, textOf } from './arrived-body';
import { NO_BODY, readBytes, tooDeep, unpack, type Body, type BodyLimits, type BodyReader, type Unread } from './body';

/** Of all kinds. */
export const JSON_TYPE = /^\s*application\/([\w.-]+\+)?json\b/i;
const CSV_TYPE = /^\s*text\/csv\b/i;

/** What is neither JSON nor CSV is left to the other. */
export function wholeBodyReader({ jsonLimitBytes, jsonDepthLimit }: BodyLimits, readOther: BodyReader): BodyReader {
  const parse = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    textLimit: String(jsonLimitBytes),
    // As bytes: its text would be mended already.
    encoding: null,
  } as unknown as bodyParser.Options);

  async function readJson({ request, context }: Unread): Promise<Body> {
    let bytes = await readArrived(request, jsonLimitBytes, (arrived) => arrived);
    if (!bytes) {
      // The library reads nothing whose type is not written as it should be.
      request.headers['content-type'] = 'application/json';
      await unpack(context, parse);
      bytes = context.request.body as Buffer;
    }
    return { value: parseJson(wholeText(bytes), jsonDepthLimit), files: [] };
  }

  async function readCsv({ context }: Unread): Promise<Body> {
    return { value: wholeText(await readBytes(context, jsonLimitBytes)), files: [] };
  }

  return (unread, wish) => {
    if (!hasBody(unread.request)) return NO_BODY;
    const type = unread.request.headers['content-type'] ?? '';
    if (JSON_TYPE.test(type)) return readJson(unread);
    return CSV_TYPE.test(type) ? readCsv(unread) : readOther(unread, wish);
  };
}

function wholeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Fault('invalid', 'The body is not valid UTF-8', { code: 'BAD_REQUEST' });
  return textOf(bytes);
}

/** Halves of characters stay as they are, for the dialect to say where. */
function parseJson(json: string, depthLimit: number): unknown {
  const plain = readPlainJson(json, depthLimit);
  if (plain !== undefined) return plain;
  if (json === '') return {};
  if (isTooDeep(json, depthLimit)) throw tooDeep(depthLimit);
  let value: unknown;
  try {
    value = JSON.parse(json, refuseProto);
  } catch (cause) {
    throw malformed(cause);
  }
  if (typeof value !== 'object' || value === null) throw malformed();
  return value;
}

const malformed = (cause?: unknown) => new Fault('invalid', 'Malformed JSON', { code: 'INVALID_JSON', cause });

function refuseProto(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('a name that changes what an object is');
  return value;
}
