/** Checks whether encrypted values can be decrypted, that is, whether SECRET_KEY is the one they were stored with. */
import type { Kernel } from '../../kernel/kernel';
import type { Product } from '../../kernel/product';

export type SecretState = 'readable' | 'unreadable' | 'nothing stored';

/** Tries one value of each product. */
export async function checkSecret(
  { mysql, secrets }: Pick<Kernel, 'mysql' | 'secrets'>,
  products: readonly Product[],
): Promise<SecretState> {
  const samples = await Promise.all(products.flatMap(({ sealedSample }) => sealedSample?.(mysql) ?? []));
  const sealed = samples.filter((sample) => sample !== undefined);
  if (sealed.length === 0) return 'nothing stored';
  try {
    for (const sample of sealed) secrets.decrypt(sample);
    return 'readable';
  } catch {
    return 'unreadable';
  }
}
