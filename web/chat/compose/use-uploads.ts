/** Running uploads. Each ends as a link in the text, or as an error. */
import { useRef, useState, type RefObject } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { RequestError } from '../../shared/http/request';
import { uploadFile } from '../../shared/http/upload';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { newKey } from '../data/stored';
import { changeDraft, useCompose } from './state';

export interface RunningUpload {
  readonly id: string;
  readonly name: string;
  readonly part: number;
}

const MAX_BYTES = 25 * 1024 * 1024;

export function useUploads(area: RefObject<HTMLTextAreaElement | null>) {
  const [running, setRunning] = useState<readonly RunningUpload[]>([]);
  const cancels = useRef(new Map<string, () => void>());
  const change = (id: string, part: number): void =>
    setRunning((before) => before.map((each) => (each.id === id ? { ...each, part } : each)));

  const insert = (name: string, uri: string): void => {
    const content = useCompose.getState().draft?.content ?? '';
    const at = area.current?.selectionStart ?? content.length;
    const gap = at > 0 && !/\s/.test(content[at - 1] ?? '') ? ' ' : '';
    const link = `${gap}[${name.replaceAll(/[[\]]/g, '')}](${uri}) `;
    changeDraft({ content: content.slice(0, at) + link + content.slice(at) });
  };

  const start = async (file: File): Promise<void> => {
    if (file.size > MAX_BYTES) return toast(t('upload.tooLarge', { name: file.name }), true);
    const id = newKey();
    const upload = uploadFile(file, (part) => change(id, part));
    cancels.current.set(id, upload.cancel);
    setRunning((before) => [...before, { id, name: file.name, part: 0 }]);
    try {
      insert(file.name, await upload.done);
    } catch (error) {
      const isCancelled = error instanceof RequestError && error.code === 'CANCELLED';
      if (!isCancelled) toast(`${file.name}: ${messageOf(error)}`, true);
    } finally {
      cancels.current.delete(id);
      setRunning((before) => before.filter((each) => each.id !== id));
    }
  };

  return {
    running,
    add: (files: readonly File[]): void => {
      for (const file of files) void start(file);
    },
    cancel: (id: string): void => cancels.current.get(id)?.(),
  };
}
