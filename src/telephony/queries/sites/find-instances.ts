/** Lists, finds and tests PBX instances, for operators. */
import type { Kernel } from '../../../kernel/kernel';
import { PbxDrivers } from '../../actors/pbx-instance/drivers';
import type { Health } from '../../actors/pbx-instance/driver';
import type { Instance } from '../../model/sites/site';
import * as sites from '../../store/sites/sites';

export const listAllInstances = ({ mysql }: Kernel): Promise<Instance[]> => sites.listInstances(mysql);

export const findInstance = ({ mysql }: Kernel, uuid: string): Promise<Instance | undefined> =>
  sites.instanceByUuid(mysql, uuid.toLowerCase());

export const testInstance = (kernel: Kernel, instance: Instance, deadlineMs: number): Promise<Health> =>
  new PbxDrivers(kernel).of(instance).health({ key: 'test', deadlineMs });
