culprit = r'''
backend = 'native'
'''

class Repro(torch.nn.Module):
    graph_name = 'net_0_forward'
    placeholder_kinds = {'w': 'parameter', 'b': 'buffer'}
    def forward(self, w, b):
        return (w, b)
