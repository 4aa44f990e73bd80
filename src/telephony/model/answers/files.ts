/** Schemas of files and faxes. */
import { z } from 'zod';
import { time } from './company';

export const preview = z
  .object({ base64: z.string().meta({ description: 'A data URL' }), filename: z.string(), mimetype: z.string() })
  .meta({ id: 'FilePreview' });

export const file = z
  .object({
    id: z.string(),
    company_id: z.string(),
    description: z.string(),
    mimetype: z.string(),
    name: z.string(),
    preview,
    size: z.int(),
    uploaded_at: time.nullable().meta({ description: 'Null until its content is uploaded' }),
    uploaded_name: z.string(),
    user_id: z.string().nullable(),
  })
  .meta({ id: 'File' });
export const files = z.array(file);
export const signedAddress = z.object({ url: z.string(), expires_at: time });

export const fax = z
  .object({
    id: z.string(),
    company: z.string(),
    created_at: time,
    file: z.object({ id: z.string(), internal_id: z.int().nullable() }).nullable(),
    from: z.string(),
    from_name: z.string(),
    is_read: z.boolean(),
    pages: z.int(),
    subject: z.string(),
    to: z.string(),
    to_name: z.string(),
  })
  .meta({ id: 'Fax' });
export const faxes = z.array(fax);

export const destination = z
  .object({ id: z.string(), company: z.string(), emails: z.array(z.string()), reprname: z.string() })
  .meta({ id: 'FaxDestination' });
export const destinations = z.array(destination);
