/** Shown at page addresses while the pages are not built. */

export const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partyline</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>Partyline</h1>
<p>This node runs, but its pages are not built. Build them with <code>npm run build</code>; the node finds them by itself.</p>
<ul>
<li><a href="/docs">Reference of the API</a></li>
<li><a href="/docs/integrations">Integrations of the chat</a></li>
</ul>
<p>After the build, the chat is at <code>/</code> and the portal of telephony at <code>/portal</code>, and the console of
the operators at <code>/ops</code>.</p>
</body>
</html>
`;
