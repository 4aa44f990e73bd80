/** What the server keeps of the file of a bulk order, so that its results name its columns and lines in any browser. */
import { api } from '../http/api';
import type { FileNames } from './in-file';

const pathOf = (order: string): string => `/portal/api/bulks/${encodeURIComponent(order)}/file`;

export async function keepNames(order: string, names: FileNames): Promise<void> {
  // Without them, the API's names are shown.
  await api.put(pathOf(order), names).catch(() => undefined);
}

export const keptNames = (order: string): Promise<FileNames> => api.get<FileNames>(pathOf(order));
