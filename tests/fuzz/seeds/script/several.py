class A:
    def forward(self, x): return x

def forward(self, x):
    return (x,)
args = [((2, 2), (2, 1), torch.float32, 'cpu')]
class B:
    def forward(self):
        return ()
class C: pass
