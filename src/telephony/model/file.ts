/** A file of a company: named first, then filled; or kept by the carrier that sent it with a text. */
import type { Secrets } from '../../kernel/secrets';
import type { CompanyId } from './company';

declare const file: unique symbol;
export type FileId = string & { readonly [file]: true };

export interface FileFacts {
  readonly id: FileId;
  /** Counts all files: the specification has an integer besides the id. */
  readonly number: number;
  readonly companyId: CompanyId;
  /** A user of the company, or the texting contact it came from. */
  readonly userId: string | null;
  readonly name: string;
  readonly uploadedName: string;
  readonly description: string;
  readonly mimetype: string;
  readonly size: number;
  /** Where a carrier keeps it. */
  readonly sourceUrl: string | null;
  readonly createdAt: Date;
  /** Null until its bytes are there. */
  readonly uploadedAt: Date | null;
}

export interface SignedUse {
  readonly fileId: string;
  /** In whole seconds since 1970. */
  readonly expires: number;
}

/** A keyed hash: whoever knows it was given it by us. */
export const signatureOf = (secrets: Secrets, { fileId, expires }: SignedUse): string =>
  secrets.lookup(`file-address ${fileId} ${expires}`);

/** An address that works without a key, for a while. */
export function signedPath(secrets: Secrets, { id, name }: Pick<FileFacts, 'id' | 'name'>, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = signatureOf(secrets, { fileId: id, expires });
  return `/files/${id}/download/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
}
