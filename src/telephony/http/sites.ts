/** Routes of the company's locations and PBX instances. */
import { z } from 'zod';
import { routesFor } from '../../kernel/http/route';
import { createLocation, deleteLocation, updateLocation } from '../commands/sites/change-locations';
import { reconcileInstance } from '../commands/extensions/look-after-orders';
import type { Caller } from '../model/contacts/contact';
import { forbidden, invalid, noInstance, noLocation, noReport, notOwner, otherCompany } from '../model/faults';
import * as field from '../model/fields';
import { getDrift, listCallerIds, listInstances, listLocations, showInstance } from '../queries/sites/sites';
import { anyOf } from '../../kernel/text/plain-words';
import { driftReport, instanceDetail, instances, location, locations } from '../model/answers/company';
import { callerIds } from '../model/answers/extensions';
import { notAnswered, pbxFailed } from './refusals';

const { get, post, patch, del } = routesFor<Caller>();

const degrees = anyOf([field.line(30), z.number().transform(String)]);

const shape = {
  address2: field.line().optional(),
  building: z
    .object({ type: field.line(50), value: field.line(100) })
    .partial()
    .nullable()
    .optional(),
  callerid: field.line(50).optional(),
  city: field.line(100).optional(),
  company_id: z.string().optional(),
  country: field.line(100).optional(),
  email: field.optionalEmail.optional(),
  fax: field.line(50).optional(),
  latitude: degrees.optional(),
  longitude: degrees.optional(),
  name: field.name(190).optional(),
  phone: field.line(50).optional(),
  state: field.line(100).optional(),
  street: field.street.optional(),
  user_id: field.optionalId().optional(),
  zip: field.line(20).optional(),
} as const;

const bodySchema = z.object(shape);

function changeOf({ company_id, ...change }: z.output<typeof bodySchema>, by: Caller) {
  if (company_id !== undefined && company_id !== by.companyId) throw otherCompany();
  return change;
}

export const siteRoutes = [
  get('/company/locations', {
    summary: "List your company's locations",
    answer: locations,
    run: ({ kernel, by }) => listLocations(kernel.mysql, by),
  }),
  post('/company/locations', {
    summary: 'Add a location; owner only',
    answer: location,
    refuses: [invalid('name: is required'), notOwner()],
    status: 201,
    params: shape,
    run: ({ kernel, by, params }) => {
      const { name, ...rest } = changeOf(params, by);
      if (name === undefined) throw invalid('name: is required');
      return createLocation(kernel.transaction, by, { name, ...rest });
    },
  }),
  patch('/company/locations/:location_id', {
    summary: 'Update a location; owner only',
    answer: location,
    refuses: [otherCompany(), notOwner(), noLocation()],
    params: shape,
    run: ({ kernel, by, params: { location_id: id, ...rest } }) =>
      updateLocation(kernel.transaction, by, id, changeOf(rest, by)),
  }),
  del('/company/locations/:location_id', {
    summary: 'Remove a location; owner only',
    answer: location,
    refuses: [notOwner(), forbidden('The last location of a company cannot be removed'), noLocation()],
    run: ({ kernel, by, params }) => deleteLocation(kernel.transaction, by, params.location_id),
  }),
  ...['/instances', '/system/instances'].map((path) =>
    get(path, {
      summary: "List your company's PBX instances",
      answer: instances,
      run: ({ kernel, by }) => listInstances(kernel.mysql, by),
    }),
  ),
  get('/instances/:instance_uuid', {
    summary: 'Get a PBX instance, and the fields of extensions that it supports',
    answer: instanceDetail,
    run: ({ kernel, by, params }) => showInstance(kernel.mysql, by, params.instance_uuid),
  }),
  get('/instances/:instance_uuid/drift', {
    summary: 'Get the last comparison of a PBX with the database; owner only',
    answer: driftReport,
    refuses: [notOwner(), noInstance(), noReport()],
    isExpensive: true,
    run: ({ kernel, by, params }) => getDrift(kernel.mysql, by, params.instance_uuid),
  }),
  post('/instances/:instance_uuid/drift', {
    summary: 'Compare a PBX with the database and repair differences; owner only',
    answer: driftReport,
    refuses: [notOwner(), noInstance(), pbxFailed(), notAnswered()],
    waitsElsewhere: true,
    run: ({ kernel, by, params }) => reconcileInstance(kernel, by, params.instance_uuid),
  }),
  get('/instances/:instance_uuid/dids/callerids', {
    summary: 'List the available caller IDs',
    answer: callerIds,
    refuses: [noInstance()],
    run: ({ kernel, by, params }) => listCallerIds(kernel.mysql, by, params.instance_uuid),
  }),
];
