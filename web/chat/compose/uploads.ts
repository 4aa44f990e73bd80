/** Running uploads. Each ends as a file of its draft, or as an error. */
import { create } from 'zustand';
import { messageOf } from '../../shared/http/message-of';
import { RequestError } from '../../shared/http/request';
import { uploadFile } from '../../shared/http/upload';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { newKey } from '../data/stored';
import { addFile, openHome, useCompose } from './state';

export interface RunningUpload {
  readonly id: string;
  readonly draftKey: string;
  readonly name: string;
  readonly part: number;
  readonly cancel: () => void;
}

const MAX_BYTES = 25 * 1024 * 1024;

export const useUploads = create<{ readonly running: readonly RunningUpload[] }>(() => ({ running: [] }));

function put(running: readonly RunningUpload[]): void {
  useUploads.setState({ running });
  useCompose.setState({ uploading: new Set(running.map(({ draftKey }) => draftKey)) });
}

const change = (id: string, part: number): void =>
  put(useUploads.getState().running.map((each) => (each.id === id ? { ...each, part } : each)));

/** Uploads files into the draft that is open, or into that of the view. */
export function attachFiles(files: FileList | readonly File[] | null | undefined): boolean {
  if (!files || files.length === 0) return false;
  if (!useCompose.getState().draft) openHome();
  for (const file of files) void start(file);
  return true;
}

async function start(file: File): Promise<void> {
  const { draft } = useCompose.getState();
  if (!draft) return;
  if (file.size > MAX_BYTES) return toast(t('upload.tooLarge', { name: file.name }), true);
  const id = newKey();
  const { done, cancel } = uploadFile(file, (part) => change(id, part));
  put([...useUploads.getState().running, { id, draftKey: draft.key, name: file.name, part: 0, cancel }]);
  try {
    const uri = await done;
    addFile(draft, { name: file.name, uri });
  } catch (error) {
    const isCancelled = error instanceof RequestError && error.code === 'CANCELLED';
    if (!isCancelled) toast(`${file.name}: ${messageOf(error)}`, true);
  } finally {
    put(useUploads.getState().running.filter((each) => each.id !== id));
  }
}
