'use strict';

/** What the servers that speak XMPP, and the clients that load them, agree on. */

const XMPP_HOST = 'bench.example';
const XMPP_ROOMS = `rooms.${XMPP_HOST}`;

/** With this a client begins. */
const STREAM =
  `<stream:stream to='${XMPP_HOST}' version='1.0' xmlns='jabber:client' ` +
  "xmlns:stream='http://etherx.jabber.org/streams'>";

module.exports = { STREAM, XMPP_HOST, XMPP_ROOMS };
