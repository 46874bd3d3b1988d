// What this page does with the assistant: it says what it shows (setPage) and takes changes (the event `edit`).
const field = document.querySelector('#text')
const locked = document.querySelector('#locked')
const results = document.querySelector('#results')
const news = document.querySelector('#news')
const tabs = [...document.querySelectorAll('[data-page]')]
let shown = 'editor'

field.value = `---
title: Lanterns
author: Noor Haddad
tags: [light, city]
---

# Lanterns

In teh winter of 1820 the first street lantern was lit on Mill Street. It was
was a oil lamp, and a boy climbed a ladder to it every evening.

Nobody paid for it . The shops took turns, and the list of whose turn it was
hung in the bakery untill 1861, when the town took over.
`

const FOUND = {
  web: [
    {
      title: 'Street lighting before gas',
      url: 'https://example.org/street-lighting',
      text: 'Early street lamps burned whale oil or rapeseed oil. A lamp of 1820 gave about as much light as two candles.',
    },
    {
      title: 'Lamplighters',
      url: 'https://example.org/lamplighters',
      text: 'A lamplighter looked after sixty to eighty lamps and walked his round twice a night.',
    },
  ],
}

function pageNow() {
  const found = { tools: ['web_search'], ...(results.checked && { results: FOUND }) }
  if (shown === 'pipeline')
    return {
      pipeline: {
        id: 'spring',
        title: 'Publish the spring issue',
        summary: 'Draft, review, layout, print. It stands at the review; two of six texts are signed off.',
      },
      ...found,
    }
  if (shown === 'text') return { text: 'A page without a text of its own.', ...found }
  const editor = {
    filename: 'lanterns.md',
    content: field.value,
    language: 'markdown',
    cursor: field.selectionStart,
    editable: !locked.checked,
  }
  return { editor, ...found }
}

const tell = () => (window.Walkon ??= []).push(['setPage', pageNow(), 'assistant'])

for (const part of [field, locked, results]) part.addEventListener('input', tell)
locked.addEventListener('input', () => (field.readOnly = locked.checked))
for (const tab of tabs)
  tab.addEventListener('click', () => {
    shown = tab.dataset.page
    news.textContent = ''
    for (const other of tabs) other.ariaPressed = String(other === tab)
    for (const part of document.querySelectorAll('[data-shown]')) part.hidden = part.dataset.shown !== shown
    tell()
  })
;(window.Walkon ??= []).push([
  'on',
  'edit',
  ({ start, expected, text, result }) => {
    put(start, expected, text)
    if (field.value !== result) field.value = result
    news.textContent = expected ? `“${expected}” is now “${text}”.` : `“${text}” is in the text now.`
    tell()
  },
])

/** Writes a change into the field as if it were typed: the cursor stays where it was, and the browser can undo it. */
function put(start, expected, text) {
  const { selectionStart, selectionEnd } = field
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  field.focus({ preventScroll: true })
  field.setSelectionRange(start, start + expected.length)
  // Only this old command keeps the browser's undo. Where it does nothing, the text is changed without.
  const isDone = text ? document.execCommand('insertText', false, text) : document.execCommand('delete')
  if (!isDone) field.setRangeText(text, start, start + expected.length)
  const moved = (at) => (at <= start ? at : Math.max(start, at + text.length - expected.length))
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd))
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
}

tell()

// When somebody opens the chat, all of it comes into view.
window.Walkon.push([
  'on',
  'open',
  () => {
    if (navigator.userActivation?.isActive) document.querySelector('walkon-chat').scrollIntoView({ block: 'nearest' })
  },
])

// The page's own search, which the research agent may use once somebody has allowed it.
const LIBRARY = [
  ['Moths gather at lamps because they hold a light at a fixed angle while they fly.', 'Moths and light', 'moths'],
  ['Trams came to the town in 1898 and ran down Mill Street until 1954.', 'Trams of the town', 'trams'],
  ['The bakery on Mill Street has been in one family since 1790.', 'Mill Street', 'mill-street'],
]
/** Words by which somebody asks. */
const ASKING = new Set(
  'what when where which whose does have this that there with from about long many much'.split(' '),
)
;(window.Walkon ??= []).push([
  'on',
  'tool',
  ({ tool, input, answer, fail }) => {
    if (tool !== 'web_search') return fail('This page has no such tool.')
    const words = (input.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !ASKING.has(word))
    const found = LIBRARY.filter(
      ([line]) => words.length > 0 && words.every((word) => line.toLowerCase().includes(word.slice(0, 5))),
    )
    // A paragraph that ends with its source is cited with it.
    answer(found.map(([line, title, page]) => `${line}\nSource: ${title}, https://example.org/${page}`).join('\n\n'))
  },
])
