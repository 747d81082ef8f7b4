import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunkBlocks } from '../chunk-text.ts';
import { parseDocument } from '../parse-document.ts';

const MANUAL = `.. _pumps:

==========
The Manual
==========

.. module:: pumps

The :mod:\`pumps\` module drives a *pump* by the protocol
that the \`vendor <https://example.org>\`_ describes [1]_.  See :meth:\`~pumps.Pump.start\`.

Classes
=======

.. class:: Pump(port=4, *, speed=None)
           Pump(name)

   Drives one pump.  The default for *port* is \`\`4\`\`
   on every platform.

   .. versionchanged:: 2.1
      The speed may be :const:\`None\`.

   .. code-block:: python

      pump = Pump()

      pump.start()

   .. method:: start(seconds)

      Starts it::

         pump.start(5)

.. A comment that
   nobody reads.

Words
-----

impeller
   The part that turns,
   made of steel.

- Check it
  daily.

  Then write it down.
- Clean it.

====== =======
Speed  Meaning
====== =======
1      slow
9      fast, and
       loud
====== =======

+------+-------+
| Code | Cause |
+======+=======+
| E7   | heat  |
+------+-------+

>>> Pump().speed
3
`;

const read = async (text: string) =>
  (await parseDocument(text)).blocks.map(({ text: block, headings, kind }) => [
    headings.join(' › '),
    kind === 'code' ? `CODE ${block}` : block,
  ]);

describe('reStructuredText', () => {
  it('is read as blocks below their headings, without what serves the typesetter', async () => {
    expect(await read(MANUAL)).toEqual([
      ['The Manual', 'The pumps module drives a pump by the protocol that the vendor describes. See start.'],
      [
        'The Manual › Classes › Pump',
        'Pump(port=4, *, speed=None) Pump(name): Drives one pump. The default for port is 4 on every platform.',
      ],
      ['The Manual › Classes › Pump', 'Changed in version 2.1: The speed may be None.'],
      ['The Manual › Classes › Pump', 'CODE pump = Pump()\n\npump.start()'],
      ['The Manual › Classes › Pump › start', 'start(seconds): Starts it:'],
      ['The Manual › Classes › Pump › start', 'CODE pump.start(5)'],
      ['The Manual › Classes › Words', 'impeller: The part that turns, made of steel.'],
      ['The Manual › Classes › Words', '- Check it daily.'],
      ['The Manual › Classes › Words', 'Then write it down.'],
      ['The Manual › Classes › Words', '- Clean it.'],
      ['The Manual › Classes › Words', '- 1: slow\n- 9: fast, and loud'],
      ['The Manual › Classes › Words', '- E7: heat'],
      ['The Manual › Classes › Words', 'CODE >>> Pump().speed\n3'],
    ]);
  });

  it('is told from Markdown and from prose', async () => {
    expect((await parseDocument(MANUAL)).mediaType).toBe('text/x-rst');
    expect((await parseDocument('# A\n\n```\n.. note::\n.. note::\n```\n')).mediaType).toBe('text/markdown');
    expect((await parseDocument('It ended so ..\n\nAnd then :nothing: happened.')).mediaType).toBe('text/plain');
  });

  it('keeps code between fences in chunks, cut ones too', async () => {
    const long = Array.from({ length: 200 }, (_, line) => `   step ${line} of the listing.`).join('\n');
    const { blocks, title } = await parseDocument(`.. note:: A\n.. note:: B\n\nSo it goes::\n\n${long}\n\nThe end.\n`);
    const bodies = chunkBlocks(blocks, { title, context: '' }).map(({ body }) => body);
    for (const body of bodies) {
      const outside = body.split(/^```$/m).filter((_, part) => part % 2 === 0);
      expect(outside.join('')).not.toContain('step');
    }
    expect(bodies.join('\n')).toContain('step 199 of the listing.');
  });

  it('says of every block where it stands', async () => {
    const { blocks } = await parseDocument(MANUAL);
    for (const { text, location } of blocks) {
      const word = /[\p{L}\p{N}]+/u.exec(text)![0];
      expect(MANUAL.slice(location.char_start, location.char_end).toLowerCase()).toContain(
        /^(?:Changed|1|E7)$/.test(word) ? '' : word.toLowerCase(),
      );
    }
  });

  it('reads any mixture of its marks', async () => {
    const line = fc.constantFrom(
      '.. note:: a',
      '.. class:: B(c)',
      '   :option: x',
      '   text::',
      '',
      '======',
      '== ==',
      '+--+--+',
      '| a | b |',
      '- item',
      '     deep',
      '>>> x',
      ':ref:`a <b>`',
      '..',
      '\ttab',
      '.. _a:',
      '* * *',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (lines) => {
        const text = `.. note:: z\n.. note:: z\n\n${lines.join('\n')}`;
        const { blocks } = await parseDocument(text);
        for (const { location } of blocks) {
          expect(location.char_start).toBeLessThanOrEqual(location.char_end);
          expect(location.char_end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});
