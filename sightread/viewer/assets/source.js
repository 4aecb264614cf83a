// Where the data comes from: the report carries it in data blocks, the inspector serves it. The rest of the viewer cannot tell which.

const embedded = {
  site: async () => JSON.parse($("site").textContent),
  page: async (row) => JSON.parse($(`page-${row}`).textContent),
  picture: (row, tile) => `data:image/webp;base64,${$(`picture-${row}-${tile}`).textContent}`,
  reasons: async (row, number) => {
    const view = await source.page(row);
    return view.blocks[number].reasons.map(([feature, weight]) => [view.features[feature], weight]);
  },
};

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

const served = {
  site: () => fetched("data.json"),
  page: (row) => fetched(`pages/${row}.json`),
  picture: (row, tile) => `pictures/${row}-${tile}.webp`,
  reasons: (row, number) => fetched(`explain?page=${row}&block=${number}`),
};

const source = $("site") ? embedded : served;
