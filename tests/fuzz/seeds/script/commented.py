# class Repro(torch.nn.Module):
#     def forward(self, x):
#         x, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)
#         w = self.fc.weight
#         return pytree.tree_unflatten((x, w), self._out_spec)
exported_program = torch.export.load('a.pt2')
