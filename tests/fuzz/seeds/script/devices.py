class Repro:
    def forward(self, x):
        a = torch.ops.aten.empty.memory_format([2], dtype=torch.float16, layout=torch.strided, device=device(type='cuda', index=1), pin_memory=False, memory_format=torch.contiguous_format)
        b = torch.ops.aten.to.device(a, torch.device('cpu'), torch.bfloat16)
        return (b, torch.device('cuda:0'))
