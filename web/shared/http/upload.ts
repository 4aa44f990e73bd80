/** Uploads with progress, which fetch cannot report. */
import { currentToken, RequestError, textOf } from './request';

export interface Upload {
  readonly done: Promise<string>;
  readonly cancel: () => void;
}

/** Resolves to the URL of the stored file. */
export function uploadFile(file: File, onProgress: (part: number) => void): Upload {
  const call = new XMLHttpRequest();
  const done = new Promise<string>((resolve, reject) => {
    call.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    call.addEventListener('load', () => {
      const answer = parse(call.responseText);
      if (call.status === 200 && typeof answer['uri'] === 'string') resolve(answer['uri']);
      else reject(new RequestError(call.status, textOf(answer['code']), textOf(answer['msg']) || call.statusText));
    });
    call.addEventListener('error', () => reject(new RequestError(0, 'OFFLINE', 'The connection was lost.')));
    call.addEventListener('abort', () => reject(new RequestError(0, 'CANCELLED', 'Cancelled')));
  });
  const form = new FormData();
  form.append('file', file);
  call.open('POST', '/api/v1/user_uploads');
  call.setRequestHeader('X-Partyline-Token', currentToken());
  call.send(form);
  return { done, cancel: () => call.abort() };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
