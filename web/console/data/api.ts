/** Client for the operators' API. */
import { request, type Params } from '../../shared/http/request';

const API = '/ops/api';

export const ops = {
  get: <Answer>(path: string, params: Params = {}, signal?: AbortSignal) =>
    request<Answer>('GET', API + path, { params, ...(signal && { signal }) }),
  post: <Answer = object>(path: string, json: object = {}) => request<Answer>('POST', API + path, { json }),
  remove: <Answer = object>(path: string) => request<Answer>('DELETE', API + path, {}),
  patch: <Answer = object>(path: string, json: object) => request<Answer>('PATCH', API + path, { json }),
};
