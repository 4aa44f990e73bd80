/** Where an organisation is reached, for links that lead back to it. */
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { RealmId } from '../model/realm';
import { findSubdomain } from './find-subdomain';

/** Empty in processes that serve nobody. */
const places = perKernel(() => ({ publicUrl: '' }));

/** Said once, when the product is mounted. */
export function setPublicUrl(kernel: Kernel, publicUrl: string): void {
  places(kernel).publicUrl = publicUrl.replace(/\/$/, '');
}

export async function findPublicUrl(kernel: Kernel, realmId: RealmId): Promise<string> {
  const { publicUrl } = places(kernel);
  const subdomain = publicUrl === '' ? '' : await findSubdomain(kernel, realmId);
  return subdomain === '' ? publicUrl : publicUrl.replace('://', `://${subdomain}.`);
}
