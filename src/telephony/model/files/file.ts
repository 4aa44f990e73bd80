/** A file of a company: created by name, then filled; or kept by the carrier that sent it with a text. */
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/files';
import type { CompanyId } from '../companies/company';

declare const file: unique symbol;
export type FileId = string & { readonly [file]: true };

export interface FileFacts {
  readonly id: FileId;
  /** A running number over all files: the specification has an integer besides the id. */
  readonly number: number;
  readonly companyId: CompanyId;
  /** A user of the company, or the texting contact that sent it. */
  readonly userId: string | null;
  readonly name: string;
  readonly uploadedName: string;
  readonly description: string;
  readonly mimetype: string;
  readonly size: number;
  /** The URL at which a carrier keeps it. */
  readonly sourceUrl: string | null;
  readonly createdAt: Date;
  /** Null until the content is uploaded. */
  readonly uploadedAt: Date | null;
}

export interface SignedUse {
  readonly fileId: string;
  /** Unix time in seconds. */
  readonly expires: number;
}

/** A keyed hash, so only this server can issue it. */
export const signatureOf = (secrets: Secrets, { fileId, expires }: SignedUse): string =>
  secrets.lookup(`file-address ${fileId} ${expires}`);

/** A download path that works without a key until it expires. */
export function signedPath(secrets: Secrets, { id, name }: Pick<FileFacts, 'id' | 'name'>, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = signatureOf(secrets, { fileId: id, expires });
  return `/files/${id}/download/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
}

/** Images up to this size are their own preview. A list of a hundred stays below three megabytes. */
const MAX_OWN_PREVIEW_BYTES = 16_384;
const PREVIEWED = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const isOwnPreview = ({ mimetype, size }: Pick<FileFacts, 'mimetype' | 'size'>): boolean =>
  PREVIEWED.has(mimetype) && size > 0 && size <= MAX_OWN_PREVIEW_BYTES;

export type Preview = Wire<typeof answers.preview>;

const SVG = 'image/svg+xml';
const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;

/** A small image is its own preview; other files get a drawn sheet with their type on it. */
export function previewOf(file: FileFacts, bytes: Buffer | undefined): Preview {
  const { name, mimetype } = file;
  if (bytes && isOwnPreview(file)) return { base64: dataUrl(mimetype, bytes), filename: name, mimetype };
  return { base64: dataUrl(SVG, Buffer.from(sheet(kindOf(file)))), filename: `${name}.svg`, mimetype: SVG };
}

/** The file name's extension, or the MIME subtype. Only letters and digits, because it is put into SVG. */
function kindOf({ name, mimetype }: FileFacts): string {
  const [, extension = ''] = /\.([A-Za-z0-9]{1,5})$/.exec(name) ?? [];
  const word = extension || (mimetype.split('/')[1] ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 5);
  return word.toUpperCase() || 'FILE';
}

const sheet = (kind: string): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">' +
  '<path d="M20 6h40l18 18v66H20z" fill="#fff" stroke="#789" stroke-width="2"/>' +
  '<path d="M60 6v18h18" fill="none" stroke="#789" stroke-width="2"/>' +
  `<text x="48" y="62" font-family="sans-serif" font-size="16" text-anchor="middle" fill="#456">${kind}</text></svg>`;

export const fileObject = (file: FileFacts, bytes: Buffer | undefined): Wire<typeof answers.file> => ({
  id: file.id,
  company_id: file.companyId,
  description: file.description,
  mimetype: file.mimetype,
  name: file.name,
  preview: previewOf(file, bytes),
  size: file.size,
  uploaded_at: file.uploadedAt?.toISOString() ?? null,
  uploaded_name: file.uploadedName,
  user_id: file.userId,
});

/** Whether the file has content here or at a carrier. */
export const isFilled = ({ uploadedAt, sourceUrl }: FileFacts): boolean => uploadedAt !== null || sourceUrl !== null;

/** The length of the URL column. */
const MAX_URL_LENGTH = 2000;

/** The URL in ASCII without line ends; undefined if it is not http or https. */
export function webAddress(written: string): string | undefined {
  if (written.length > MAX_URL_LENGTH || !URL.canParse(written)) return undefined;
  const { protocol, href } = new URL(written);
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_LENGTH ? href : undefined;
}
