// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AttestorSet} from "../../AttestorSet.sol";
import {DevToken} from "../../DevToken.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Parameters} from "../../interfaces/ISmartBalanceDeployer.sol";
import {Debit, Operation} from "../../smart-balance/libraries/Order.sol";
import {Settling, SignedOperation} from "../../smart-balance/Settlement.sol";
import {SmartBalanceParts as SmartBalance} from "../../smart-balance/SmartBalanceParts.sol";
import {SmartBalanceDeployer} from "../../SmartBalanceDeployer.sol";
import {Batch, ISafe4337Module, RealContracts} from "./RealContracts.sol";

/// @notice Three networks in one EVM. SmartBalance has one address, so switching the network replaces its storage, its
/// code (the token is an immutable) and the chain id. EntryPoint, the Safe and its module are real, and shared by all
/// networks. O is the output network, A and B are sources; A's token has 18 decimals.
abstract contract SmartBalanceTest is RealContracts {
    uint64 internal constant O = 31337;
    uint64 internal constant A = 31338;
    uint64 internal constant B = 31339;

    uint256 internal constant OWNER_KEY = 0xB0B;
    uint256 internal constant OPERATOR_KEY = 0x0CE4;
    uint256 internal constant THIRD_PARTY_KEY = 0xBAD;
    address internal constant ADMIN = address(0xAD);
    address internal constant SETTLER = address(0x5E77);
    address payable internal constant BUNDLER = payable(address(0xB0DE));
    uint128 internal constant LIQUIDITY = 1000e6;
    uint104 internal constant CAP = 800e6;

    /// @dev The inputs of an operation under test.
    struct Draft {
        address account;
        uint256 nonce;
        bytes callData;
        uint128 claimAmount;
        uint48 validUntil;
        Debit[] debits;
        bytes signer;
        uint256 operatorKey;
    }

    SmartBalance internal smartBalance;
    AttestorSet internal attestorSet;
    /// @dev The EOA-owned Safe of OWNER_KEY.
    address internal account;
    uint256[3] internal attestorKeys;

    /// @dev Of all operations that are built: verificationGasLimit, then callGasLimit; the same of the paymaster, whose
    /// call is postOp.
    bytes32 internal accountGasLimits = _pack(600_000, 1_000_000);
    bytes32 internal paymasterGasLimits = _pack(1_000_000, 150_000);

    uint64 internal network;
    mapping(uint64 network => DevToken) internal tokenOn;
    mapping(uint64 network => bytes) private _codeOn;
    mapping(uint64 network => mapping(bytes32 slot => bytes32)) private _storageOn;
    mapping(bytes32 slot => bool) private _isKnown;
    bytes32[] private _slots;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        _deployReal();
        account = _createSafe(vm.addr(OWNER_KEY));
        _deployAttestors();
        SmartBalanceDeployer deployer = SmartBalanceDeployer(_create(_creationCode("SmartBalanceDeployer"), ""));
        smartBalance = SmartBalance(
            payable(deployer.addressOf(address(this), 0, keccak256(_creationCode("SmartBalance"))))
        );
        _deployOn(deployer, O, 6);
        _deployOn(deployer, A, 18);
        _deployOn(deployer, B, 6);
        vm.deal(address(this), 1_000 ether);
        entryPoint.depositTo{value: 500 ether}(address(smartBalance));
        for (uint64 id = O; id <= B; ++id) {
            _on(id);
            _configure();
        }
        _on(O);
    }

    /// @dev Switches to another network; must be called again after each change of time.
    function _on(uint64 id) internal {
        if (network != 0) _leave();
        network = id;
        vm.chainId(id);
        vm.etch(address(smartBalance), _codeOn[id]);
        for (uint256 i; i < _slots.length; ++i) {
            vm.store(address(smartBalance), _slots[i], _storageOn[id][_slots[i]]);
        }
        vm.record();
    }

    /// @dev The default order: borrow 100 on O, owe 101 on A (failFee 2), and claim it.
    function _draft() internal view returns (Draft memory draft) {
        draft.account = account;
        draft.nonce = entryPoint.getNonce(account, 0);
        draft.callData = _claimCall(draft.nonce);
        draft.claimAmount = 100e6;
        draft.validUntil = uint48(block.timestamp + 10 minutes);
        draft.debits = new Debit[](1);
        draft.debits[0] = Debit(A, 101e6, 2e6);
        draft.signer = abi.encodePacked(uint8(0), vm.addr(OWNER_KEY));
        draft.operatorKey = OPERATOR_KEY;
    }

    function _claimCall(uint256 nonce) internal view returns (bytes memory) {
        return _call(address(smartBalance), abi.encodeCall(smartBalance.claim, (nonce)));
    }

    function _call(address to, bytes memory data) internal pure returns (bytes memory) {
        return abi.encodeCall(ISafe4337Module.executeUserOp, (to, 0, data, 0));
    }

    /// @dev Several calls, delegatecalled as one.
    function _batch(address[] memory targets, bytes[] memory calls) internal view returns (bytes memory) {
        bytes memory data = abi.encodeCall(Batch.run, (targets, calls));
        return abi.encodeCall(ISafe4337Module.executeUserOp, (address(batch), 0, data, 1));
    }

    /// @dev Signed by the operator and by the EOA owner, for the current network.
    function _build(Draft memory draft) internal view returns (PackedUserOperation memory op) {
        op = _buildUnsigned(draft);
        op.signature = _signAsOwner(op, OWNER_KEY);
    }

    function _buildUnsigned(Draft memory draft) internal view returns (PackedUserOperation memory op) {
        op.sender = draft.account;
        op.nonce = draft.nonce;
        op.callData = draft.callData;
        op.accountGasLimits = accountGasLimits;
        op.preVerificationGas = 50_000;
        op.gasFees = _pack(1 gwei, 1 gwei);
        bytes memory debits;
        for (uint256 i; i < draft.debits.length; ++i) {
            Debit memory debit = draft.debits[i];
            debits = abi.encodePacked(debits, debit.chainId, debit.amount, debit.failFee);
        }
        op.paymasterAndData = abi.encodePacked(
            address(smartBalance),
            paymasterGasLimits,
            uint8(1),
            draft.claimAmount,
            draft.validUntil,
            uint8(draft.debits.length),
            debits,
            draft.signer
        );
        bytes memory signature = _sign(draft.operatorKey, _orderHash(draft, op));
        op.paymasterAndData = bytes.concat(op.paymasterAndData, signature);
    }

    /// @dev Signs the hash that the real module computes.
    function _signAsOwner(PackedUserOperation memory op, uint256 key) internal view returns (bytes memory) {
        op.signature = abi.encodePacked(uint48(0), uint48(0));
        return bytes.concat(op.signature, _sign(key, module.getOperationHash(op)));
    }

    function _sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev EIP-712 computed again, independently of the library, for the current network.
    function _orderHash(Draft memory draft, PackedUserOperation memory op) internal view returns (bytes32) {
        bytes memory hashes;
        for (uint256 i; i < draft.debits.length; ++i) {
            bytes32 typeHash = keccak256("Debit(uint64 chainId,uint128 amount,uint64 failFee)");
            Debit memory debit = draft.debits[i];
            hashes = bytes.concat(
                hashes, keccak256(abi.encode(typeHash, debit.chainId, debit.amount, debit.failFee))
            );
        }
        bytes memory first = abi.encode(
            keccak256(
                "Order(address account,uint256 nonce,bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes32 paymasterGasLimits,uint128 claimAmount,uint48 validUntil,Debit[] debits,bytes32 signer)Debit(uint64 chainId,uint128 amount,uint64 failFee)"
            ),
            op.sender,
            op.nonce,
            keccak256(op.initCode),
            keccak256(op.callData),
            op.accountGasLimits,
            op.preVerificationGas
        );
        bytes memory second = abi.encode(
            op.gasFees,
            paymasterGasLimits,
            draft.claimAmount,
            draft.validUntil,
            keccak256(hashes),
            _signerId(draft.signer)
        );
        return keccak256(
            abi.encodePacked("\x19\x01", _domain(block.chainid), keccak256(bytes.concat(first, second)))
        );
    }

    function _domain(uint256 chainId) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("SmartBalance"),
                keccak256("1"),
                chainId,
                smartBalance
            )
        );
    }

    function _signerId(bytes memory signer) internal pure returns (bytes32) {
        bytes memory rest = new bytes(signer.length - 1);
        for (uint256 i; i < rest.length; ++i) {
            rest[i] = signer[i + 1];
        }
        return signer[0] == 0 ? bytes32(uint256(uint160(bytes20(rest)))) : keccak256(rest);
    }

    function _ownerId() internal pure returns (bytes32) {
        return bytes32(uint256(uint160(vm.addr(OWNER_KEY))));
    }

    /// @dev Runs one operation on the current network.
    function _handle(PackedUserOperation memory op) internal {
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        entryPoint.handleOps(ops, BUNDLER);
    }

    function _signed(PackedUserOperation memory op) internal pure returns (SignedOperation memory signed) {
        signed.operation = Operation(
            op.sender,
            op.nonce,
            keccak256(op.initCode),
            keccak256(op.callData),
            op.accountGasLimits,
            op.preVerificationGas,
            op.gasFees
        );
        signed.paymasterAndData = op.paymasterAndData;
        signed.signature = op.signature;
    }

    /// @dev Signed by the first two attestors, in ascending order.
    function _attest(bytes32 orderHash, Outcome outcome) internal view returns (bytes memory) {
        bytes32 digest = _attestationDigest(orderHash, outcome);
        return bytes.concat(_sign(attestorKeys[0], digest), _sign(attestorKeys[1], digest));
    }

    function _attestationDigest(bytes32 orderHash, Outcome outcome) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,address verifyingContract)"),
                keccak256("SmartBalance"),
                keccak256("1"),
                smartBalance
            )
        );
        bytes32 typeHash = keccak256("Attestation(bytes32 orderHash,uint8 outcome)");
        return
            keccak256(
                abi.encodePacked("\x19\x01", domain, keccak256(abi.encode(typeHash, orderHash, outcome)))
            );
    }

    /// @dev Runs an order on O, and returns the arguments that settle it on a source.
    function _claimed(Draft memory draft) internal returns (Settling memory) {
        _on(O);
        PackedUserOperation memory op = _build(draft);
        bytes32 orderHash = _orderHash(draft, op);
        _handle(op);
        assertTrue(_outcome(draft.account, draft.nonce) == Outcome.Claimed, "claimed");
        return Settling(O, _signed(op), Outcome.Claimed, _attest(orderHash, Outcome.Claimed));
    }

    /// @dev Runs an order on O that does not claim.
    function _failed(Draft memory draft) internal returns (Settling memory) {
        _on(O);
        draft.callData = _call(address(0xDEAD), "");
        PackedUserOperation memory op = _build(draft);
        bytes32 orderHash = _orderHash(draft, op);
        _handle(op);
        assertTrue(_outcome(draft.account, draft.nonce) == Outcome.Failed, "failed");
        return Settling(O, _signed(op), Outcome.Failed, _attest(orderHash, Outcome.Failed));
    }

    function _settle(Settling memory item) internal returns (uint128) {
        vm.prank(SETTLER);
        return smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof);
    }

    /// @dev For the current network.
    function _deposit(address owner, uint128 amount) internal {
        DevToken token = tokenOn[network];
        uint256 units = amount * smartBalance.SCALE();
        token.mint(address(this), units);
        token.approve(address(smartBalance), units);
        smartBalance.depositFor(owner, amount);
    }

    /// @dev On the current network, with the default account's EOA as pinned signer.
    function _depositAndPin(uint128 amount) internal {
        _deposit(account, amount);
        vm.prank(account);
        smartBalance.addSigner(_ownerId());
    }

    /// @dev The outcome of an operation that ran on the current network.
    function _outcome(address owner, uint256 nonce) internal view returns (Outcome outcome) {
        (outcome,,) = smartBalance.settled(owner, block.chainid, nonce);
    }

    function _balance(address owner) internal view returns (uint256 balance) {
        (balance,,) = smartBalance.accounts(owner);
    }

    function _pack(uint128 high, uint128 low) internal pure returns (bytes32) {
        return bytes32(uint256(high) << 128 | low);
    }

    function _leave() private {
        (, bytes32[] memory writes) = vm.accesses(address(smartBalance));
        _learn(writes);
        for (uint256 i; i < _slots.length; ++i) {
            _storageOn[network][_slots[i]] = vm.load(address(smartBalance), _slots[i]);
        }
    }

    function _learn(bytes32[] memory slots) private {
        for (uint256 i; i < slots.length; ++i) {
            if (_isKnown[slots[i]]) continue;
            _isKnown[slots[i]] = true;
            _slots.push(slots[i]);
        }
    }

    function _deployOn(SmartBalanceDeployer deployer, uint64 id, uint8 decimals) private {
        tokenOn[id] = DevToken(_create(_creationCode("DevToken"), abi.encode("Token", "T", decimals)));
        Parameters memory parameters = Parameters(
            IERC20(tokenOn[id]), address(entryPoint), address(module), ADMIN, attestorSet, address(epochs)
        );
        vm.record();
        // The first salt gives the address; the others only give the code with other immutables.
        address deployed =
            deployer.deploy(bytes32(uint256(id - O)), _creationCode("SmartBalance"), parameters);
        (, bytes32[] memory writes) = vm.accesses(deployed);
        _learn(writes);
        for (uint256 i; i < writes.length; ++i) {
            _storageOn[id][writes[i]] = vm.load(deployed, writes[i]);
        }
        _codeOn[id] = deployed.code;
    }

    function _configure() private {
        vm.startPrank(ADMIN);
        smartBalance.setOperator(vm.addr(OPERATOR_KEY), true);
        smartBalance.setSettler(SETTLER, true);
        smartBalance.setOutflowCap(CAP);
        vm.stopPrank();
        tokenOn[network].mint(address(smartBalance), LIQUIDITY * smartBalance.SCALE());
    }

    function _deployAttestors() private {
        attestorKeys = [uint256(0xA1), 0xA2, 0xA3];
        // In ascending order of addresses, like proofs.
        for (uint256 i; i < 2; ++i) {
            for (uint256 j; j < 2 - i; ++j) {
                if (vm.addr(attestorKeys[j]) < vm.addr(attestorKeys[j + 1])) continue;
                (attestorKeys[j], attestorKeys[j + 1]) = (attestorKeys[j + 1], attestorKeys[j]);
            }
        }
        address[] memory attestors = new address[](3);
        for (uint256 i; i < 3; ++i) {
            attestors[i] = vm.addr(attestorKeys[i]);
        }
        attestorSet =
            AttestorSet(_create(_creationCode("AttestorSet"), abi.encode(ADMIN, attestors, uint256(2))));
    }
}
